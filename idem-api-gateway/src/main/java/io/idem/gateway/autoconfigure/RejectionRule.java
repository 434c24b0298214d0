package io.idem.gateway.autoconfigure;

import io.idem.Scope;
import io.idem.gateway.Middleware;
import io.idem.gateway.RejectedOperations;
import io.idem.http.RouteOptions;
import java.util.Set;

/**
 * What a configured route does about rejections.
 *
 * @param kind the setting
 * @param consumers whose rejections count; empty for everybody's
 * @param rejected opens records
 */
record RejectionRule(AfterRejection kind, Set<Scope> consumers, RejectedOperations rejected) {

    RouteOptions options(RouteOptions options) {
        return reopens() ? rejected.reopening(consumers).apply(options) : options;
    }

    Middleware around(Middleware handOff) {
        return reopens() ? rejected.opened(consumers).around(handOff) : handOff;
    }

    private boolean reopens() {
        return kind == AfterRejection.REOPEN;
    }
}
