@NullMarked
package io.idem.http.servlet;

import org.jspecify.annotations.NullMarked;
