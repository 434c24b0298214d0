package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.ScopePolicies;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.RouteOptions;
import io.idem.internal.method.StartRefusal;
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

    /** Returns the refusals of a route. */
    static StartRefusal refusals(RouteOptions route) {
        return (problem, action) ->
                new ConfigurationException("The route of scope \"" + route.scope() + "\" " + problem, action + ".");
    }

    /** Returns the exception for a route that cannot have the inbox that it asks for. */
    static RuntimeException refusal(RouteOptions route, String why, String action) {
        return refusals(route)
                .refused(
                        "has an inbox, by its own options or by idem.store=inbox, and cannot have it: " + why,
                        action + "; or remove inbox from the route and choose another idem.store");
    }
}
