/** Tests of an application as its authors would write them, where the application is WebFlux. */
@NullMarked
package io.idem.test.webflux;

import org.jspecify.annotations.NullMarked;
