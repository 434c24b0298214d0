package io.idem.demo.provider;

import java.util.Random;

/** The accounts that money comes from and goes to. */
public final class Accounts {

    /** Its bank takes its time. */
    public static final String SLOW = "slow-bank-0001";

    /** A consumer that is being watched pauses after committing a payment of this account. */
    public static final String HELD = "held-after-commit-0001";

    private static final int ORDINARY = 100;

    private Accounts() {}

    /** One without particulars. */
    public static String ordinary(Random random) {
        return "account-%04d".formatted(random.nextInt(ORDINARY));
    }
}
