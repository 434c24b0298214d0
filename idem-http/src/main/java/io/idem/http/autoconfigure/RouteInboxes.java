package io.idem.http.autoconfigure;

import io.idem.http.RouteOptions;

/** Opens the inboxes that routes ask for, so that messages of processes that died leave before the first request comes. */
@FunctionalInterface
interface RouteInboxes {

    /**
     * Opens the inbox of a route's scope.
     *
     * @throws HttpConfigurationException if there can be none
     */
    void open(RouteOptions route);

    /** Why a route cannot have what it asks for. */
    static HttpConfigurationException refusal(String why) {
        return new HttpConfigurationException(
                "A route asks for an inbox, and cannot have one: " + why,
                "Add idem-jdbc with a data source and its transaction manager to a servlet application, leave"
                        + " idem.jdbc.enabled=true, or define an Outbox bean; or remove inbox from the route.");
    }
}
