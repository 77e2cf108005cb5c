import sys
from pathlib import Path
import tempfile
from PySide6.QtWidgets import QApplication
app=QApplication([])
from spotlab.gui.kit import theme
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.navigation import ErrorNavigation
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from tests.gui.inspect.inspecting import calm, show, settle
mode=sys.argv[1]; theme.apply(app,mode)
wb=Workbench(Settings(Path(tempfile.mkdtemp())/"s.json"))
wb.open_paths([Path("datasets/floorplans").resolve()]); settle()
i=wb.state(Inspection); i.runs.open([Path("datasets/floorplans/runs/a_ratios.csv").resolve()]); settle()
go=ErrorNavigation(wb,lambda *b:None).go_to
if sys.argv[2]=="errors":
    p=ErrorsPanel(i,go); show(p,1100,330); p.step(1); calm(); p.grab().save(f"/tmp/tide/errors-{mode}.png")
    from spotlab.measures.error_columns import ErrorFilter
    p.filters.set_filter(ErrorFilter("page",frozenset({"plan_001","plan_002","plan_003"}))); p.filters.set_filter(ErrorFilter("iou",low=.3))
    p.resize(700,420); calm(); p.grab().save(f"/tmp/tide/errors-filter-{mode}.png")
    p.as_pictures.setChecked(True); p.resize(1100,420); calm(); p.grab().save(f"/tmp/tide/errors-pictures-{mode}.png")
else:
    from spotlab.gui.inspect.panels.confusion import ConfusionPanel
    p=ConfusionPanel(i,go); show(p,1100,420); calm(); p.grab().save(f"/tmp/tide/confusion-{mode}.png")
    
    from PySide6.QtTest import QTest; from PySide6.QtCore import Qt
    import numpy as np
    c=p.model.confusion; r=c.rows.index('bed'); k=c.columns.index('desk')
    ix=p.model.index(p.model.rows.tolist().index(r),p.model.across.tolist().index(k)); p.table.scrollTo(ix)
    QTest.mouseClick(p.table.viewport(),Qt.MouseButton.LeftButton,pos=p.table.visualRect(ix).center()); calm(); p.grab().save(f"/tmp/tide/confusion-cell-{mode}.png")
    p.by_area.click(); p.resize(700,330); calm(); p.grab().save(f"/tmp/tide/confusion-area-{mode}.png")
