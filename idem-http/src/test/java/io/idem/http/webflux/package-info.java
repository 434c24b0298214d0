@NullMarked
package io.idem.http.webflux;

import org.jspecify.annotations.NullMarked;
