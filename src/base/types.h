/* Declares the names of all struct types that are used in more than one folder. A header that needs only the name of
   such a type includes this file alone. */
#pragma once

typedef struct CrDeck          CrDeck;
typedef struct CrDeckNode      CrDeckNode;
typedef struct CrKey           CrKey;
typedef struct CrMesh          CrMesh;
typedef struct CrCell          CrCell;
typedef struct CrMaterial      CrMaterial;
typedef struct CrMaterialOps   CrMaterialOps;
typedef struct CrElement       CrElement;
typedef struct CrElementBlock  CrElementBlock;
typedef struct CrModel         CrModel;
typedef struct CrState         CrState;
typedef struct CrContact       CrContact;
typedef struct CrNewton        CrNewton;
typedef struct CrIntegrator    CrIntegrator;
typedef struct CrIntegratorOps CrIntegratorOps;
typedef struct CrStepReport    CrStepReport;
typedef struct CrAudit         CrAudit;
typedef struct CrOutput        CrOutput;
typedef struct CrRun           CrRun;
