/**
 * The events by which a supervisor watches a consumer: grants, commits and record updates, as lines in its log. Not
 * needed to use idem.
 */
@NullMarked
package io.idem.demo.watch;

import org.jspecify.annotations.NullMarked;
