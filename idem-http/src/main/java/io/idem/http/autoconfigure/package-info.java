/** Auto-configuration of idempotent HTTP; every part backs off if the application declares a bean of its own. */
@NullMarked
package io.idem.http.autoconfigure;

import org.jspecify.annotations.NullMarked;
