package io.idem.applications.shop;

import java.util.concurrent.CountDownLatch;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The effects of all applications. They are kept in Redis, so that those of a killed process remain. The prefix of a
 * payment's name determines its first attempt. Thread-safe.
 */
public final class Ledger {

    /** Prefix of payments whose first attempt fails. */
    public static final String FAILS_ONCE = "fails-once";

    /** Prefix of payments whose first attempt blocks until the process is killed. */
    public static final String KILLED = "killed";

    private final StringRedisTemplate redis;

    /** Creates a ledger that keeps its counts in this Redis. */
    public Ledger(StringRedisTemplate redis) {
        this.redis = redis;
    }

    /**
     * Makes a payment, which is the effect of the work.
     *
     * @throws CardRefusedException at the first attempt of some payments, before the effect
     */
    public void pay(String payment) {
        boolean first = count("attempts", payment) == 1;
        if (first && payment.startsWith(FAILS_ONCE)) {
            throw new CardRefusedException(payment);
        }
        if (first && payment.startsWith(KILLED)) {
            standStill();
        }
        count("effects", payment);
    }

    private static void standStill() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Not killed", e);
        }
    }

    /** Counts a failed payment that the error handler or recoverer of the application keeps as its dead letter. */
    public void setAside(String payment) {
        count("set-aside", payment);
    }

    private long count(String what, String payment) {
        Long now = redis.opsForValue().increment(what + ":" + payment);
        return now == null ? 0 : now;
    }

    /** Returns how many attempts of the payment have begun. */
    public int attempts(String payment) {
        return number("attempts", payment);
    }

    /** Returns how often the payment was made. */
    public int effects(String payment) {
        return number("effects", payment);
    }

    /** Returns how often the application kept the payment as a dead letter. */
    public int setAsides(String payment) {
        return number("set-aside", payment);
    }

    private int number(String what, String payment) {
        String now = redis.opsForValue().get(what + ":" + payment);
        return now == null ? 0 : Integer.parseInt(now);
    }
}
