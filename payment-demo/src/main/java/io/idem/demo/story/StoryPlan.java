package io.idem.demo.story;

import io.idem.IdempotencyKey;
import io.idem.demo.provider.Accounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The planned operations of the clients, in the order in which they start. The same seed gives the same plan, except for
 * the run's name in the keys.
 *
 * @param operations payments and payouts, mixed
 * @param slowPayment its provider takes long: its consumer is killed at work
 * @param chargedPayment its consumer pauses before the commit, with the charge remembered, and is killed there
 * @param heldPayment its consumer pauses after the commit and is killed there
 * @param slowPayout as {@code slowPayment}
 */
public record StoryPlan(
        List<PlannedOperation> operations,
        PlannedOperation slowPayment,
        PlannedOperation chargedPayment,
        PlannedOperation heldPayment,
        PlannedOperation slowPayout) {

    /** Whose keys there are. Keys of different tenants are equal on purpose. */
    public static final List<String> TENANTS = List.of("north", "south", "east");

    private static final int PAYMENTS_PER_PAYOUT = 4;
    private static final int MOST_CENTS = 100_000;

    private static final Map<Trouble, Double> LIKELIHOOD = new EnumMap<>(Map.of(
            Trouble.SAME_KEY_AT_ONCE, 0.15,
            Trouble.HANGS_UP, 0.10,
            Trouble.ASKS_AGAIN, 0.25,
            Trouble.CHANGES_AMOUNT, 0.10,
            Trouble.DUPLICATED_MESSAGE, 0.15));

    /** Copies the list. */
    public StoryPlan {
        operations = List.copyOf(operations);
    }

    /**
     * Plans a run.
     *
     * @param run distinguishes the keys of this run from those of others on the same servers
     */
    public static StoryPlan of(long seed, int payments, String run) {
        Random random = new Random(seed);
        int payouts = Math.max(1, payments / PAYMENTS_PER_PAYOUT);
        List<PlannedOperation> planned = new ArrayList<>();
        for (int index = 0; index < payments; index++) {
            planned.add(operation(Kind.PAYMENT, index, paymentAccount(index, payments, random), run, random));
        }
        for (int index = 0; index < payouts; index++) {
            String account = index == payouts / 2 ? Accounts.SLOW : Accounts.ordinary(random);
            planned.add(operation(Kind.PAYOUT, index, account, run, random));
        }
        PlannedOperation slowPayment = planned.get(payments / 3);
        PlannedOperation chargedPayment = planned.get(charged(payments));
        PlannedOperation heldPayment = planned.get(payments - 1);
        PlannedOperation slowPayout = planned.get(payments + payouts / 2);
        Collections.shuffle(planned, random);
        // Far apart, so that whoever was killed at the first is back when the other consumer is killed at the second.
        Collections.swap(planned, planned.size() / 2, planned.indexOf(chargedPayment));
        Collections.swap(planned, 0, planned.indexOf(slowPayment));
        Collections.swap(planned, planned.size() - 1, planned.indexOf(heldPayment));
        return new StoryPlan(planned, slowPayment, chargedPayment, heldPayment, slowPayout);
    }

    private static String paymentAccount(int index, int payments, Random random) {
        if (index == payments / 3) {
            return Accounts.SLOW;
        }
        if (index == payments - 1) {
            return Accounts.HELD;
        }
        return index == charged(payments) ? Accounts.CHARGED : Accounts.ordinary(random);
    }

    private static int charged(int payments) {
        return 2 * payments / 3;
    }

    private static PlannedOperation operation(Kind kind, int index, String account, String run, Random random) {
        String tenant = TENANTS.get(index % TENANTS.size());
        String key = "%s-%s-%04d".formatted(run, kind.name().toLowerCase(Locale.ROOT), index / TENANTS.size());
        Body body = new Body(account, 1 + random.nextInt(MOST_CENTS), "EUR");
        return new PlannedOperation(kind, new IdempotencyKey(tenant, key), body, troubles(index, random));
    }

    /** The first operation of each kind has all of them, so that even the shortest run shows each. */
    private static Set<Trouble> troubles(int index, Random random) {
        Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);
        LIKELIHOOD.forEach((trouble, likelihood) -> {
            if (random.nextDouble() < likelihood || index == 0) {
                troubles.add(trouble);
            }
        });
        return troubles;
    }
}
