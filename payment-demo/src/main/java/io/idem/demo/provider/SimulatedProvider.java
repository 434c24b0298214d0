package io.idem.demo.provider;

import io.idem.IdempotencyKey;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** A provider that only waits: some ten milliseconds, or much longer for {@link Accounts#SLOW}. Thread-safe. */
@Component
class SimulatedProvider implements PaymentProvider {

    private static final int SHORTEST_MILLIS = 20;
    private static final int LONGEST_MILLIS = 60;
    private static final Duration SLOW = Duration.ofMillis(1_200);

    @Override
    public String charge(IdempotencyKey key, String account, long amount, String currency) {
        takeTime(account);
        return "charge-" + key.id();
    }

    @Override
    public String payOut(IdempotencyKey key, String account, long amount, String currency) {
        takeTime(account);
        return "payout-" + key.id();
    }

    private static void takeTime(String account) {
        long millis = account.equals(Accounts.SLOW)
                ? SLOW.toMillis()
                : ThreadLocalRandom.current().nextInt(SHORTEST_MILLIS, LONGEST_MILLIS);
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the bank of " + account, stopping);
        }
    }
}
