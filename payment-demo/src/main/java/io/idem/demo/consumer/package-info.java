/** The consumer service: all listeners of the demo, chosen by profile. */
@NullMarked
package io.idem.demo.consumer;

import org.jspecify.annotations.NullMarked;
