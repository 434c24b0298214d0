/** The code on docs/guide-record-filter.md. */
@NullMarked
package io.idem.examples.filter;

import org.jspecify.annotations.NullMarked;
