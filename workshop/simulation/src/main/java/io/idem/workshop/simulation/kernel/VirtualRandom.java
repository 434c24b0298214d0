package io.idem.workshop.simulation.kernel;

import java.util.Random;
import java.util.SplittableRandom;

/** Replaces {@link java.util.concurrent.ThreadLocalRandom}. */
public final class VirtualRandom extends Random {

    private VirtualRandom() {}

    public static VirtualRandom current() {
        return new VirtualRandom();
    }

    @Override
    protected int next(int bits) {
        return random().nextInt() >>> (32 - bits);
    }

    private static SplittableRandom random() {
        return Kernel.current().random();
    }
}
