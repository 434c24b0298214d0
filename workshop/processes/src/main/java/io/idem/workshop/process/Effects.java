package io.idem.workshop.process;

import static io.idem.workshop.process.Waiting.waitUntil;

import io.idem.workshop.outside.RawRecord;
import io.idem.workshop.outside.Reply;
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

    /** Those of a key. */
    public static Effects of(World world, String key) {
        return new Effects(world, key);
    }

    /** Rows in the ledger. */
    public int ledgerRows() {
        return rows("ledger");
    }

    /** Rows in any witness table. */
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

    /** The record of a scope, which must be there. */
    public RawRecord record(String scope) {
        return find(scope).orElseThrow(() -> new AssertionError("no record of " + key + " in scope " + scope));
    }

    /** The record of a scope when it says COMPLETED. */
    public RawRecord awaitCompleted(String scope) {
        waitUntil(key + " is COMPLETED in scope " + scope)
                .until(() -> find(scope).map(RawRecord::state).equals(Optional.of("COMPLETED")));
        return record(scope);
    }

    private Optional<RawRecord> find(String scope) {
        return world.records().read(TENANT, key, scope);
    }

    /**
     * Returns when whatever could still come of what was published to RabbitMQ before has come: the connections are cut, so
     * that everything unacknowledged is delivered again, and a later payment has passed.
     */
    public static void settleRabbit(World world) {
        world.amqpProxy().cut();
        String marker = Money.freshKey("marker");
        Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYMENTS, marker, Money.cents(1));
        of(world, marker).awaitLedger();
        waitUntil("the queue is empty").until(() -> world.queues().depth(PAYMENTS_QUEUE) == 0);
    }

    /** Asks the intake for a payment of this key. */
    public Reply pay(long amount) {
        return Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYMENTS, key, Money.cents(amount));
    }

    /** Asks the intake for a payout of this key. */
    public Reply payOut(long amount) {
        return Tenant.NORTH.postUntilAccepted(world.http(), Money.PAYOUTS, key, Money.cents(amount));
    }

    /** Queue of payments. */
    public static final String PAYMENTS_QUEUE = "payments.requested";
}
