/**
 * Methods of beans that are guarded by an annotation: their proxies, their start-up checks, and the call itself. Start with
 * {@code IdempotentMethods}. The checks serve listeners too. This package knows Spring, unlike most of the engine's.
 *
 * <p>For the other packages of idem, not for applications.
 */
@NullMarked
package io.idem.internal.method;

import org.jspecify.annotations.NullMarked;
