package io.idem.workshop.process;

import static io.idem.workshop.process.Waiting.waitUntil;

import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.outside.Reply;
import io.lettuce.core.RedisException;
import java.util.Optional;

/** The effects of a key of tenant north. */
public final class Effects {

    private static final String TENANT = Tenant.NORTH.name();

    private final World world;
    private final String key;

    private Effects(World world, String key) {
        this.world = world;
        this.key = key;
    }

    /** Returns the effects of a key. */
    public static Effects of(World world, String key) {
        return new Effects(world, key);
    }

    /** Returns the number of rows in the ledger. */
    public int ledgerRows() {
        return rows("ledger");
    }

    /** Returns the number of rows in a witness table. */
    public int rows(String table) {
        return world.ledger().rows(table, TENANT, key);
    }

    /** Returns when the ledger has a row. */
    public void awaitLedger() {
        await("ledger");
    }

    /** Returns when a witness table has a row. */
    public void await(String table) {
        waitUntil(table + " has a row for " + key).until(() -> rows(table) > 0);
    }

    /** Returns the record of a scope; fails if there is none. */
    public RawRecord record(String scope) {
        return find(scope).orElseThrow(() -> new AssertionError("no record of " + key + " in scope " + scope));
    }

    /** Waits until the record of a scope is COMPLETED, and returns it. A Redis that is about to be back is asked again. */
    public RawRecord awaitCompleted(String scope) {
        waitUntil(key + " is COMPLETED in scope " + scope)
                .ignoreExceptionsInstanceOf(RedisException.class)
                .until(() -> find(scope).map(RawRecord::state).equals(Optional.of("COMPLETED")));
        return record(scope);
    }

    private Optional<RawRecord> find(String scope) {
        return world.records().read(TENANT, key, scope);
    }

    /**
     * Waits until no message published to RabbitMQ so far can have a further effect: cuts the connections, so that
     * everything unacknowledged is delivered again, and waits for a later payment.
     */
    public static void settleRabbit(World world) {
        world.amqpProxy().cut();
        String marker = Money.freshKey("marker");
        Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYMENTS, marker, Money.cents(1));
        of(world, marker).awaitLedger();
        waitUntil("the queue is empty").until(() -> world.queues().depth(PAYMENTS_QUEUE) == 0);
    }

    /** Requests a payment with this key. */
    public Reply pay(long amount) {
        return Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYMENTS, key, Money.cents(amount));
    }

    /** Requests a payout with this key. */
    public Reply payOut(long amount) {
        return Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYOUTS, key, Money.cents(amount));
    }

    /** The queue of payments. */
    public static final String PAYMENTS_QUEUE = "payments.requested";
}
