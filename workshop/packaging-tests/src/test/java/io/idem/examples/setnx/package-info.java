/** The code on docs/guide-home-made-setnx.md. */
@NullMarked
package io.idem.examples.setnx;

import org.jspecify.annotations.NullMarked;
