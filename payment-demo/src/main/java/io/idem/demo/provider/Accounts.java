package io.idem.demo.provider;

import java.util.Random;

/** The accounts that money comes from and goes to. */
public final class Accounts {

    /** The account of a slow bank. */
    public static final String SLOW = "slow-bank-0001";

    /** The account before whose commits a watched consumer pauses: it has been charged and is in the ledger. */
    public static final String CHARGED = "held-before-commit-0001";

    /** The account after whose committed payments a watched consumer pauses. */
    public static final String HELD = "held-after-commit-0001";

    private static final int ORDINARY = 100;

    private Accounts() {}

    /** Returns an account without particulars. */
    public static String ordinary(Random random) {
        return "account-%04d".formatted(random.nextInt(ORDINARY));
    }
}
