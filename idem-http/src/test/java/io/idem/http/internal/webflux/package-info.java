@NullMarked
package io.idem.http.internal.webflux;

import org.jspecify.annotations.NullMarked;
