package upcall;

import java.util.Set;

/**
 * A pool that the handler has to do with.
 *
 * @param id its id
 * @param path its path
 * @param valueType the name of its declared value type, empty for plain bytes
 * @param valueSize bytes of a value when its type is blittable, else 0
 * @param access what the handler may do with it
 */
public record Pool(PoolId id, String path, String valueType, int valueSize, Set<PoolAccess> access) {}
