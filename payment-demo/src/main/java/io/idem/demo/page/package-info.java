/**
 * The page on which the demo can be watched and played with: a web application of its own, on the loopback address
 * only.
 */
@NullMarked
package io.idem.demo.page;

import org.jspecify.annotations.NullMarked;
