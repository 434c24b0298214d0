package io.idem.demo.provider;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * A provider that only waits: some ten milliseconds, or much longer for {@link Accounts#SLOW}. Publishes each call as a
 * {@link ProviderCalled}. Thread-safe.
 */
@Component
class SimulatedProvider implements PaymentProvider {

    private static final int SHORTEST_MILLIS = 20;
    private static final int LONGEST_MILLIS = 60;
    private static final Duration SLOW = Duration.ofMillis(1_200);

    private final ApplicationEventPublisher events;

    SimulatedProvider(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public String charge(String key, String account, long amount, String currency) {
        answer(key, account);
        return "charge-" + key;
    }

    @Override
    public String payOut(String key, String account, long amount, String currency) {
        answer(key, account);
        return "payout-" + key;
    }

    private void answer(String key, String account) {
        events.publishEvent(new ProviderCalled(key));
        takeTime(account);
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
