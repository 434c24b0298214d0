package io.idem.workshop.simulation.kernel;

import java.util.Random;

/** Takes the place of {@link java.security.SecureRandom}: owner tokens are a part of the story. */
public final class VirtualSecureRandom extends Random {

    @Override
    protected int next(int bits) {
        return Kernel.current().random().nextInt() >>> (32 - bits);
    }
}
