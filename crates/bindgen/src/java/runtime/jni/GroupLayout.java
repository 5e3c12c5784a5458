// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/**
 * Size and alignment of a struct.
 *
 * @param byteSize bytes
 * @param byteAlignment what an address is a multiple of
 */
public record GroupLayout(long byteSize, long byteAlignment) {}
