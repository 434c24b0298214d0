package io.idem.http.autoconfigure;

import io.idem.http.Routes;
import io.idem.internal.RefusedSettingException;

/** A check of an application that has a protected route, before it starts. */
@FunctionalInterface
interface StartCheck {

    /**
     * Checks the application.
     *
     * @param routes its protected routes, at least one
     *
     * @throws RefusedSettingException if it must not start
     */
    void check(Routes routes);
}
