/** The service that consumes: all listeners of the demo, chosen by profile. */
@NullMarked
package io.idem.demo.consumer;

import org.jspecify.annotations.NullMarked;
