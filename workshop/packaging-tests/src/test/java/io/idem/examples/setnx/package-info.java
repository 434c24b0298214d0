/** What docs/guide-home-made-setnx.md shows. */
@NullMarked
package io.idem.examples.setnx;

import org.jspecify.annotations.NullMarked;
