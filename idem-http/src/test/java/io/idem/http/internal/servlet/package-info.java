@NullMarked
package io.idem.http.internal.servlet;

import org.jspecify.annotations.NullMarked;
