/** The operators' tool: a program, not a library. */
@NullMarked
package io.idem.cli;

import org.jspecify.annotations.NullMarked;
