package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.internal.operations.StoreCheck;
import io.idem.spi.IdempotencyStore;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Whether guarded work is run: it is if the store answers, and else only where an inbox decides alone. Thread-safe. */
final class IdemHealth implements HealthIndicator {

    private final IdempotencyStore store;
    private final StoreCheck check;
    private final Supplier<Stream<Inbox>> inboxes;

    IdemHealth(IdempotencyStore store, StoreCheck check, Supplier<Stream<Inbox>> inboxes) {
        this.store = store;
        this.check = check;
        this.inboxes = inboxes;
    }

    @Override
    public Health health() {
        boolean answers = check.failure().isEmpty();
        boolean failsOpen = inboxes.get().anyMatch(Inbox::decidesAlone);
        Health.Builder health = answers || failsOpen ? Health.up() : Health.outOfService();
        return health.withDetail("store", (answers ? Status.UP : Status.DOWN).getCode())
                .withDetail("guarding", !(store instanceof UnguardedStore))
                .withDetail("withoutStore", failsOpen ? "fail-open" : "fail-closed")
                .build();
    }
}
