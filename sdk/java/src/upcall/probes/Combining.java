package upcall.probes;

import upcall.Combine;

/** Adds the first array to the second. */
public final class Combining implements Combine<double[]> {
    /** Makes one. */
    public Combining() {}

    @Override
    public boolean commutative() {
        return true;
    }

    @Override
    public void combine(double[] from, double[] into, int count) {
        for (int index = 0; index < count; index++) {
            into[index] += from[index];
        }
    }
}
