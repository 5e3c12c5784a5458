/* Types of fields. */
#include "common.h"

/* Fields at their places, as a type with this extent whatever its fields say. */
static int type_fields(int count, const int64_t *counts, const int64_t *places, const handle *types, int64_t extent, handle *made)
{
    MPI_Datatype fields, type;
    size_t room = count > 0 ? (size_t)count : 1;
    int *blocks = malloc(room * sizeof(int));
    MPI_Aint *at = malloc(room * sizeof(MPI_Aint));
    MPI_Datatype *of = malloc(room * sizeof(MPI_Datatype));
    int code = blocks == NULL || at == NULL || of == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    for (int index = 0; code == MPI_SUCCESS && index < count; index++) {
        if (counts[index] < 0 || counts[index] > INT_MAX)
            code = MPI_ERR_COUNT;
        blocks[index] = (int)counts[index];
        at[index] = (MPI_Aint)places[index];
        of[index] = TYPE(types[index]);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Type_create_struct(count, blocks, at, of, &fields);
    free(blocks);
    free(at);
    free(of);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Type_create_resized(fields, 0, (MPI_Aint)extent, &type);
    MPI_Type_free(&fields);
    TRY(code);
    TRY(MPI_Type_commit(&type));
    *made = TO(type);
    return MPI_SUCCESS;
}
