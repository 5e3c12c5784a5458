// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Says that an address is meant. */
public final class AddressLayout extends ValueLayout {
    AddressLayout() {
        super(8L);
    }
}
