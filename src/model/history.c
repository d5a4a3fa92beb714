#include "model/history.h"

PetscErrorCode CrHistoryCreate(PetscInt npoints, PetscInt npairs, PetscInt nslides,
                               CrContactHistory **out)
{
  PetscInt          n = npoints;
  CrContactHistory *h;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&h));
  h->npoints = n;
  h->npairs = npairs;
  h->nslides = nslides;
  PetscCall(PetscCalloc7(n, &h->gd, 2 * n, &h->eta, 3 * n, &h->slip, n, &h->overlap, n, &h->press,
                         4 * n, &h->pushed, n, &h->share));
  PetscCall(PetscCalloc2(n, &h->facet, n, &h->touched));
  PetscCall(
      PetscCalloc4(npairs, &h->loss, npairs, &h->met, 3 * nslides, &h->slides, nslides, &h->slid));
  PetscCall(CrImpulsesCreate(npairs, &h->impulses));
  for (PetscInt k = 0; k < n; k++) {
    h->facet[k] = -1;
    h->share[k] = 1;
  }
  *out = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHistoryWiden(CrContactHistory *h, PetscInt width)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(h->method));
  PetscCall(PetscCalloc1(width * h->npoints, &h->method));
  h->width = width;
  PetscFunctionReturn(PETSC_SUCCESS);
}

CrContactPast CrHistoryLook(const CrContactHistory *h)
{
  return (CrContactPast){.gd = h->gd,
                         .eta = h->eta,
                         .slip = h->slip,
                         .overlap = h->overlap,
                         .press = h->press,
                         .pushed = h->pushed,
                         .share = h->share,
                         .method = h->method,
                         .loss = h->loss,
                         .slides = h->slides,
                         .facet = h->facet,
                         .touched = h->touched,
                         .met = h->met,
                         .slid = h->slid,
                         .begun = &h->begun,
                         .impulses = &h->impulses};
}

PetscErrorCode CrHistoryDestroy(CrContactHistory **out)
{
  CrContactHistory *h = *out;

  PetscFunctionBeginUser;
  if (!h) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree7(h->gd, h->eta, h->slip, h->overlap, h->press, h->pushed, h->share));
  PetscCall(PetscFree2(h->facet, h->touched));
  PetscCall(PetscFree4(h->loss, h->met, h->slides, h->slid));
  PetscCall(CrImpulsesDestroy(&h->impulses));
  PetscCall(PetscFree(h->method));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHistoryArchive(CrContactHistory *h, CrArchive *archive)
{
  PetscInt n = h->npoints;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "contact.gd", n, h->gd));
  PetscCall(CrArchiveAddReals(archive, "contact.eta", 2 * n, h->eta));
  PetscCall(CrArchiveAddReals(archive, "contact.slip", 3 * n, h->slip));
  PetscCall(CrArchiveAddReals(archive, "contact.overlap", n, h->overlap));
  PetscCall(CrArchiveAddReals(archive, "contact.press", n, h->press));
  PetscCall(CrArchiveAddReals(archive, "contact.pushed", 4 * n, h->pushed));
  PetscCall(CrArchiveAddReals(archive, "contact.share", n, h->share));
  PetscCall(CrArchiveAddReals(archive, "contact.method", h->width * n, h->method));
  PetscCall(CrArchiveAddInts(archive, "contact.facet", n, h->facet));
  PetscCall(CrArchiveAddInts(archive, "contact.touched", n, h->touched));
  PetscCall(CrArchiveAddReals(archive, "contact.loss", h->npairs, h->loss));
  PetscCall(CrArchiveAddInts(archive, "contact.met", h->npairs, h->met));
  PetscCall(CrImpulsesArchive(&h->impulses, archive));
  PetscCall(CrArchiveAddReals(archive, "contact.slides", 3 * h->nslides, h->slides));
  PetscCall(CrArchiveAddInts(archive, "contact.slid", h->nslides, h->slid));
  PetscCall(CrArchiveAddReals(archive, "contact.stored", 1, &h->stored));
  PetscCall(CrArchiveAddInts(archive, "contact.begun", 1, &h->begun));
  PetscFunctionReturn(PETSC_SUCCESS);
}
