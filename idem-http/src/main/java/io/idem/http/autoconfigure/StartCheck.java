package io.idem.http.autoconfigure;

import io.idem.internal.RefusedSettingException;

/** A check of an application that has a protected route, before it starts. */
@FunctionalInterface
interface StartCheck {

    /**
     * Checks the application.
     *
     * @throws RefusedSettingException if it must not start
     */
    void check();
}
