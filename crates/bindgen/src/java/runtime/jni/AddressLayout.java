// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Says that an address is meant. */
public final class AddressLayout {
    static final AddressLayout ADDRESS = new AddressLayout();

    private AddressLayout() {}
}
