package upcall.tests;

import upcall.Combine;

/** Keeps the lesser of each two. */
public final class Least {
    private Least() {}

    /** Of arrays of long. */
    public static final class Longs implements Combine<long[]> {
        @Override
        public void combine(long[] from, long[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = Math.min(from[index], into[index]);
            }
        }
    }

    /** Of arrays of int. */
    public static final class Ints implements Combine<int[]> {
        @Override
        public void combine(int[] from, int[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = Math.min(from[index], into[index]);
            }
        }
    }

    /** Of arrays of short. */
    public static final class Shorts implements Combine<short[]> {
        @Override
        public void combine(short[] from, short[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = (short) Math.min(from[index], into[index]);
            }
        }
    }

    /** Of arrays of byte. */
    public static final class Bytes implements Combine<byte[]> {
        @Override
        public void combine(byte[] from, byte[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = (byte) Math.min(from[index], into[index]);
            }
        }
    }

    /** Of arrays of float. */
    public static final class Floats implements Combine<float[]> {
        @Override
        public void combine(float[] from, float[] into, int count) {
            for (int index = 0; index < count; index++) {
                into[index] = Math.min(from[index], into[index]);
            }
        }
    }
}
