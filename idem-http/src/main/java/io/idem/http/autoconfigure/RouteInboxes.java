package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.ScopePolicies;
import io.idem.StoreUnavailableException;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.RouteOptions;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;

/** Opens the inboxes of routes at start-up, so that the messages of processes that died are sent before the first request comes. */
@FunctionalInterface
interface RouteInboxes {

    /**
     * Opens the inbox of a route's scope.
     *
     * @throws ConfigurationException if the route cannot have an inbox
     */
    void open(RouteOptions route);

    /** Returns whether every route has the inbox, because it is the store of the application's executor. */
    static boolean always(ObjectProvider<IdempotentExecutor> executor) {
        return executor.stream()
                .anyMatch(one -> one.inbox().flatMap(Inbox::failures).isPresent());
    }

    /**
     * Returns the parts of work for which a route has the inbox without asking: all, because it is the store; or, where idem is
     * switched off, the last phase, which that store implied and which cannot do without.
     */
    static Predicate<InboxTransaction> implied(ObjectProvider<IdempotentExecutor> executor, ScopePolicies scopes) {
        return part -> always(executor) || (part == InboxTransaction.LAST_PHASE && !scopes.attemptsAreCounted());
    }

    /**
     * Checks that the inbox of a route can keep steps.
     *
     * @throws ConfigurationException if it cannot
     */
    static void requireLastPhase(RouteOptions route, Inbox inbox) {
        Inbox.LastPhase phase = inbox.lastPhase()
                .orElseThrow(() -> noLastPhase(
                        route, "its own inbox has only transactions for whole work", "Use the inbox of idem-jdbc"));
        try {
            phase.check();
        } catch (StoreUnavailableException unusable) {
            throw noLastPhase(
                    route,
                    "its steps cannot be kept: " + unusable.getMessage(),
                    "Create the table idem_record of R__idem.sql in the jar of idem-jdbc, for example by"
                            + " idem.jdbc.initialize-schema=always");
        }
    }

    private static ConfigurationException noLastPhase(RouteOptions route, String why, String action) {
        return new ConfigurationException(
                "The route of scope \"" + route.scope() + "\" has inbox-transaction=last-phase, and " + why,
                action + "; or remove inbox-transaction from the route.");
    }

    /** Returns the exception for a route that cannot have the inbox that it asks for. */
    static ConfigurationException refusal(RouteOptions route, String why, String action) {
        return new ConfigurationException(
                "The route of scope \"" + route.scope()
                        + "\" has an inbox, by its own options or by idem.store=inbox, and cannot have it: " + why,
                action + "; or remove inbox from the route and choose another idem.store.");
    }
}
