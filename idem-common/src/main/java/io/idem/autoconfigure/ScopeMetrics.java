package io.idem.autoconfigure;

import io.idem.Scope;
import io.idem.internal.micrometer.MeteredEvents;
import io.idem.internal.micrometer.WaitingGauges;
import io.idem.operations.ScopeRegistry;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Registers the meters of every scope once all of them are known. */
final class ScopeMetrics implements ApplicationListener<ContextRefreshedEvent> {

    private final ScopeRegistry scopes;
    private final MeteredEvents events;
    private final WaitingGauges waiting;

    ScopeMetrics(ScopeRegistry scopes, MeteredEvents events, WaitingGauges waiting) {
        this.scopes = scopes;
        this.events = events;
        this.waiting = waiting;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        for (Scope scope : scopes.scopes()) {
            events.declare(scope);
            waiting.declare(scope);
        }
    }
}
