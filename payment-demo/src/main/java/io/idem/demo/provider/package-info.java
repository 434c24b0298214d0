/** The bank on the other side: an external system, reached by calls that may be repeated. */
@NullMarked
package io.idem.demo.provider;

import org.jspecify.annotations.NullMarked;
