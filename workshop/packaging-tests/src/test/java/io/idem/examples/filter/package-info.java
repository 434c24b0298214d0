/** What docs/guide-record-filter.md shows. */
@NullMarked
package io.idem.examples.filter;

import org.jspecify.annotations.NullMarked;
