package io.idem.workshop.simulation.kernel;

import java.util.Random;

/** Replaces {@link java.security.SecureRandom}, so that owner tokens depend on the seed. */
public final class VirtualSecureRandom extends Random {

    @Override
    protected int next(int bits) {
        return Kernel.current().random().nextInt() >>> (32 - bits);
    }
}
