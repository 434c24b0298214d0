/** Lazy initialization, and something that asks for the listener later. */
@NullMarked
package io.idem.applications.rabbit.lazy;

import org.jspecify.annotations.NullMarked;
