/* A rank in C, whose struct has the fields of the other's at other places: it changes what it is sent and sends it back. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct reading {
    char ours[24];
    int16_t tags[3];
    double value;
    uint8_t level;
    uint32_t sensor;
};

enum { ROUNDS = 8, TAG = 5 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int blocks[4] = {1, 1, 3, 1};
    MPI_Aint places[4] = {offsetof(struct reading, sensor), offsetof(struct reading, value), offsetof(struct reading, tags),
                          offsetof(struct reading, level)};
    MPI_Datatype types[4] = {MPI_UINT32_T, MPI_DOUBLE, MPI_INT16_T, MPI_UINT8_T}, fields, type;
    MPI_Type_create_struct(4, blocks, places, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(struct reading), &type);
    MPI_Type_commit(&type);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Status status;
        int count;
        MPI_Probe(0, TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, type, &count);
        if (count == MPI_UNDEFINED)
            MPI_Abort(MPI_COMM_WORLD, 3);
        struct reading *readings = calloc((size_t)count + 1, sizeof *readings);
        MPI_Recv(readings, count, type, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int index = 0; index < count; index++) {
            struct reading *one = &readings[index];
            one->sensor += 1;
            one->value *= 2;
            for (int tag = 0; tag < 3; tag++)
                one->tags[tag] = (int16_t)-one->tags[tag];
            one->level ^= 255;
            for (int byte = 0; byte < 24; byte++)
                if (one->ours[byte] != 0)
                    MPI_Abort(MPI_COMM_WORLD, 4);
        }
        MPI_Send(readings, count, type, 0, TAG + 1, MPI_COMM_WORLD);
        MPI_Bcast(readings, count, type, 1, MPI_COMM_WORLD);
        free(readings);
    }
    MPI_Type_free(&fields);
    MPI_Type_free(&type);
    MPI_Finalize();
    /* Where the tests are counted. */
    printf("1 passed\n");
    return 0;
}
