/** The demo: one command, see {@link io.idem.demo.PaymentDemo}. */
@NullMarked
package io.idem.demo;

import org.jspecify.annotations.NullMarked;
