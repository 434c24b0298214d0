/** The code on the guide in docs/kafka.md. */
@NullMarked
package io.idem.examples.filter;

import org.jspecify.annotations.NullMarked;
