/** What a run found, for people and programs. */
@NullMarked
package io.idem.e2e.chaos.report;

import org.jspecify.annotations.NullMarked;
