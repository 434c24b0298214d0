/** A TCP proxy that simulates network failures. */
@NullMarked
package io.idem.servers.proxy;

import org.jspecify.annotations.NullMarked;
