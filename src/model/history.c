#include "model/history.h"
#include "base/lazy.h"

static PetscErrorCode create_points(PetscInt n, CrContactHistory *h)
{
  PetscFunctionBeginUser;
  PetscCall(CrLazyCreate(n, &h->gd));
  PetscCall(CrLazyCreate(2 * n, &h->eta));
  PetscCall(CrLazyCreate(3 * n, &h->slip));
  PetscCall(CrLazyCreate(n, &h->overlap));
  PetscCall(CrLazyCreate(n, &h->press));
  PetscCall(CrLazyCreate(4 * n, &h->pushed));
  PetscCall(CrLazyCreate(n, &h->touched));
  PetscCall(PetscMalloc2(n, &h->share, n, &h->facet));
  PetscFunctionReturn(PETSC_SUCCESS);
}

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
  PetscCall(create_points(n, h));
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
  PetscCall(CrLazyDestroy(&h->method));
  PetscCall(CrLazyCreate(width * h->npoints, &h->method));
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
  PetscCall(CrLazyDestroy(&h->gd));
  PetscCall(CrLazyDestroy(&h->eta));
  PetscCall(CrLazyDestroy(&h->slip));
  PetscCall(CrLazyDestroy(&h->overlap));
  PetscCall(CrLazyDestroy(&h->press));
  PetscCall(CrLazyDestroy(&h->pushed));
  PetscCall(CrLazyDestroy(&h->touched));
  PetscCall(CrLazyDestroy(&h->method));
  PetscCall(PetscFree2(h->share, h->facet));
  PetscCall(PetscFree2(h->rows.given, h->rows.needed));
  PetscCall(PetscFree4(h->loss, h->met, h->slides, h->slid));
  PetscCall(CrImpulsesDestroy(&h->impulses));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHistoryArchive(CrContactHistory *h, CrArchive *archive)
{
  const CrRows *rows = h->rows.all ? &h->rows : NULL;
  PetscInt      n = h->npoints;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddRealRows(archive, "contact.gd", rows, n, h->gd));
  PetscCall(CrArchiveAddRealRows(archive, "contact.eta", rows, 2 * n, h->eta));
  PetscCall(CrArchiveAddRealRows(archive, "contact.slip", rows, 3 * n, h->slip));
  PetscCall(CrArchiveAddRealRows(archive, "contact.overlap", rows, n, h->overlap));
  PetscCall(CrArchiveAddRealRows(archive, "contact.press", rows, n, h->press));
  PetscCall(CrArchiveAddRealRows(archive, "contact.pushed", rows, 4 * n, h->pushed));
  PetscCall(CrArchiveAddRealRows(archive, "contact.share", rows, n, h->share));
  PetscCall(CrArchiveAddRealRows(archive, "contact.method", rows, h->width * n, h->method));
  PetscCall(CrArchiveAddIntRows(archive, "contact.facet", rows, n, h->facet));
  PetscCall(CrArchiveAddIntRows(archive, "contact.touched", rows, n, h->touched));
  PetscCall(CrArchiveAddReals(archive, "contact.loss", h->npairs, h->loss));
  PetscCall(CrArchiveAddInts(archive, "contact.met", h->npairs, h->met));
  PetscCall(CrImpulsesArchive(&h->impulses, archive));
  PetscCall(CrArchiveAddReals(archive, "contact.slides", 3 * h->nslides, h->slides));
  PetscCall(CrArchiveAddInts(archive, "contact.slid", h->nslides, h->slid));
  PetscCall(CrArchiveAddReals(archive, "contact.stored", 1, &h->stored));
  PetscCall(CrArchiveAddInts(archive, "contact.begun", 1, &h->begun));
  PetscFunctionReturn(PETSC_SUCCESS);
}
