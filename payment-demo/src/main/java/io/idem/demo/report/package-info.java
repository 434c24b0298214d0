/** Holds the clients' log against the tables: what was lost, what happened twice. */
@NullMarked
package io.idem.demo.report;

import org.jspecify.annotations.NullMarked;
